/** Bodies and responses. */
export const responseChanges = {
  'body-required': { severity: 'breaking', when: 'A body is required.', remedy: 'make it optional' },
  'body-optional': { severity: 'safe', when: 'A body is optional.' },
  'body-ignored': { severity: 'risky', when: 'The body of requests is no longer read.' },
  'request-media-type-removed': { severity: 'breaking', when: 'Requests cannot have a media type.', remedy: 'keep it' },
  'request-media-type-added': { severity: 'safe', when: 'Requests may have another media type.' },
  'response-media-type-removed': {
    severity: 'breaking',
    when: 'Responses no longer have a media type.',
    remedy: 'keep it',
  },
  'response-media-type-added': { severity: 'risky', when: 'Responses may have another media type.' },
  'export-format-removed': { severity: 'breaking', when: 'An export no longer has a format.', remedy: 'keep it' },
  'export-format-added': {
    severity: 'safe',
    when: 'An export has a new format, which clients must prefer to the document.',
  },
  'groups-changed': {
    severity: 'breaking',
    when: 'An aggregate groups by other fields, so that its numbers are about other groups.',
    remedy: 'declare another aggregate next to the old one',
  },
  'measure-changed': {
    severity: 'breaking',
    when: 'A measure of an aggregate has another function, or another attribute.',
    remedy: 'add another measure next to the old one',
  },
  'response-document-removed': {
    severity: 'breaking',
    when: 'Responses no longer have a document.',
    remedy: 'keep it',
  },
  'response-document-added': { severity: 'safe', when: 'Responses have a document.' },
  'response-form-changed': {
    severity: 'breaking',
    when: 'The primary data of a document has another form, or another type.',
    remedy: 'keep the old one next to the new one, and deprecate it with a sunset',
  },
  'success-status-removed': {
    severity: 'breaking',
    when: 'A success status is gone.',
    remedy: 'keep it among the responses',
  },
  'success-status-added': { severity: 'risky', when: 'There is a new success status.' },
  'error-status-added': { severity: 'risky', when: 'There is a new error status.' },
  'error-status-removed': { severity: 'safe', when: 'An error status is gone.' },
  'other-errors-added': { severity: 'safe', when: 'Functions of the application may fail with other statuses.' },
  'other-errors-removed': { severity: 'safe', when: 'No function of the application can fail with other statuses.' },
  'error-code-added': { severity: 'risky', when: 'There is a new error code.' },
  'error-code-removed': { severity: 'safe', when: 'An error code is gone.' },
  'response-header-removed': { severity: 'risky', when: 'Responses no longer have a header.' },
  'response-header-added': { severity: 'safe', when: 'Responses have a new header.' },
  'cross-origin-refused': {
    severity: 'breaking',
    when: 'Web pages of other origins can no longer read responses.',
    remedy: 'keep the setting cors',
  },
} as const
