/** Characters that a file name must not have on some system, or that would end a header. */
// oxlint-disable-next-line no-control-regex -- these are the characters to remove
const unsafe = /[\u0000-\u001f\u007f-\u009f<>:"/\\|?*\u202a-\u202e\u2066-\u2069]/g

/**
 * Returns the header `Content-Disposition` for bytes with a file name. The name has no path, no control characters, and no marks that reverse
 * the direction of text. Clients that do not know `filename*` get its ASCII characters.
 *
 * https://www.rfc-editor.org/rfc/rfc6266
 */
export function contentDisposition(fileName: string, isInline: boolean): string {
  const safe = fileName.toWellFormed().replaceAll(unsafe, '_').replace(/^\.+/, '_').trim()
  const name = safe === '' ? '_' : safe
  const ascii = name.replaceAll(/[^\u0020-\u007e]|%/g, '_')
  const extended = ascii === name ? '' : `; filename*=UTF-8''${encoded(name)}`
  return `${isInline ? 'inline' : 'attachment'}; filename="${ascii}"${extended}`
}

/** https://www.rfc-editor.org/rfc/rfc8187#section-3.2.1 */
function encoded(name: string): string {
  return encodeURIComponent(name).replaceAll(/['()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
}
