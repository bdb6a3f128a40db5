-- Whether the first message of a visitor has come in by a channel must cost nothing, however many conversations there are.
create index conversations_channel_idx on conversations (channel) where channel <> 'api';
