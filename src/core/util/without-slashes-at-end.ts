/** Returns a path or a URL without the slashes at its end. The expression `/\/+$/` would take quadratic time for slashes in the middle. */
export function withoutSlashesAtEnd(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end -= 1
  return text.slice(0, end)
}
