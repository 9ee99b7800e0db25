/** The characters that may stand anywhere in a member name. Lone surrogates are no characters. */
const anywhere = 'a-zA-Z0-9\\u{80}-\\u{D7FF}\\u{E000}-\\u{10FFFF}'

const memberName = new RegExp(`^[${anywhere}](?:[${anywhere}\\-_ ]*[${anywhere}])?$`, 'u')

/**
 * Whether a text may name a member of a document, or be a type. Names with an `@` in front are legal too, but every
 * reader has to pass over them, so that none can mean anything.
 *
 * @see https://jsonapi.org/format/1.1/#document-member-names
 */
export function isMemberName(text: string): boolean {
  return memberName.test(text)
}

/** Whether a name is one that every reader has to pass over: https://jsonapi.org/format/1.1/#document-member-names-at-members */
export function isAtMember(name: string): boolean {
  return name.startsWith('@')
}
