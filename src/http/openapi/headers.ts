/** Headers of responses that several operations have, by the name of their component. */
export const responseHeaders = {
  RequestId: {
    description:
      'Identifies the request in the log. A proxy may choose the id: an `X-Request-Id` of 8 to 64 characters of ' +
      '`A-Za-z0-9_.-` in the request is kept.',
    required: true,
    schema: { type: 'string' as const, examples: ['1b4e28ba-2fa1-4d2b-883f-0016d3cca427'] },
  },
  RetryAfter: {
    description: 'Seconds to wait before trying again.',
    required: true,
    schema: { type: 'integer' as const, minimum: 1 },
  },
  Allow: {
    description: 'The methods of the path.',
    required: true,
    schema: { type: 'string' as const, examples: ['GET, HEAD, POST'] },
  },
  ETag: {
    description: 'The version of the answer. Send it as `If-None-Match` to learn whether it has changed.',
    required: true,
    schema: { type: 'string' as const, examples: ['W/"mJcM1uO0zM9bqUo4rJb0Xw"'] },
  },
  Link: {
    description:
      'Leads to the next page, with `rel="next"`. Relative to the URL of the request. Absent if there is no next page.',
    schema: { type: 'string' as const, examples: ['<?limit=20&cursor=WyIy>; rel="next"'] },
  },
};
