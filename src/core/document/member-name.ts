/** The characters that are allowed at any position of a member name. Lone surrogates are not characters. */
const anywhere = 'a-zA-Z0-9\\u{80}-\\u{D7FF}\\u{E000}-\\u{10FFFF}'

const memberName = new RegExp(`^[${anywhere}](?:[${anywhere}\\-_ ]*[${anywhere}])?$`, 'u')

/**
 * Returns whether a text is a valid name of a member or a type. Names that start with `@` are valid in a document too, but
 * every implementation must ignore them, so they are not accepted here.
 *
 * @see https://jsonapi.org/format/1.1/#document-member-names
 */
export function isMemberName(text: string): boolean {
  return memberName.test(text)
}
