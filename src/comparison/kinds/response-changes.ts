/** Bodies and responses. */
export const responseChanges = {
  'body-required': { severity: 'breaking', when: 'Requests must have a body.', remedy: 'let requests leave it out' },
  'body-optional': { severity: 'safe', when: 'Requests need no longer have a body.' },
  'body-ignored': { severity: 'risky', when: 'The body of requests is no longer read.' },
  'request-media-type-removed': { severity: 'breaking', when: 'Requests cannot have a media type.', remedy: 'keep it' },
  'request-media-type-added': { severity: 'safe', when: 'Requests may have a further media type.' },
  'response-media-type-removed': {
    severity: 'breaking',
    when: 'Responses no longer have a media type.',
    remedy: 'keep it',
  },
  'response-media-type-added': { severity: 'risky', when: 'Responses may have a further media type.' },
  'response-document-removed': {
    severity: 'breaking',
    when: 'Responses no longer have a document.',
    remedy: 'keep it',
  },
  'response-document-added': { severity: 'safe', when: 'Responses have a document.' },
  'response-form-changed': {
    severity: 'breaking',
    when: 'The primary data of a document has another form, or another type.',
    remedy: 'keep the old one beside it, and deprecate that with a sunset',
  },
  'success-status-removed': {
    severity: 'breaking',
    when: 'A status of success is gone.',
    remedy: 'keep it among the responses',
  },
  'success-status-added': { severity: 'risky', when: 'There is a further status of success.' },
  'error-status-added': { severity: 'risky', when: 'There is a further status of errors.' },
  'error-status-removed': { severity: 'safe', when: 'A status of errors is gone.' },
  'other-errors-added': { severity: 'safe', when: 'Functions of the application may fail with other statuses.' },
  'other-errors-removed': { severity: 'safe', when: 'No function of the application can fail with other statuses.' },
  'error-code-added': { severity: 'risky', when: 'There is a further code of errors.' },
  'error-code-removed': { severity: 'safe', when: 'A code of errors is gone.' },
  'response-header-removed': { severity: 'risky', when: 'Responses no longer have a header.' },
  'response-header-added': { severity: 'safe', when: 'Responses have a further header.' },
  'cross-origin-refused': {
    severity: 'breaking',
    when: 'Web pages of other origins can no longer read responses.',
    remedy: 'keep the setting cors',
  },
} as const
