comment on column received_mails.addresses is
  'The addresses in its headers, text, HTML and text files, also of the mails within it, for the erasure of visitors.';
