/** An element of an XML document. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  readonly text: string
}

const token = /<\?[^?]*\?>|<\/([\w-]+)>|<([\w-]+)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Parses an XML document, as far as the reports of JUnit need it. Throws if it is not well-formed. */
export function parseXml(document: string): XmlElement {
  const root = { name: '', attributes: {}, children: [] as XmlElement[], text: '' }
  const open = [root]
  token.lastIndex = 0
  while (token.lastIndex < document.length) {
    const at = token.lastIndex
    const match = token.exec(document)
    if (match === null) throw new Error(`Not XML: ${document.slice(at, at + 80)}`)
    const [, closed, name, attributes = '', isEmpty, text = ''] = match
    const parent = open.at(-1) ?? root
    if (closed !== undefined) {
      if (open.pop()?.name !== closed) throw new Error(`</${closed}> ends another element.`)
    } else if (name !== undefined) {
      const element = { name, attributes: attributesIn(attributes), children: [], text: '' }
      parent.children.push(element)
      if (isEmpty !== '/') open.push(element)
    } else parent.text += plain(text)
  }
  const [element, ...others] = root.children
  if (open.length > 1 || element === undefined || others.length > 0) throw new Error('There must be one root element.')
  return element
}

function attributesIn(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, plain(value)]),
  )
}

function plain(text: string): string {
  return text.replaceAll(/&(?:(\w+);)?/g, (whole, name: string | undefined) => {
    const character = name === undefined ? undefined : entities[name]
    if (character === undefined) throw new Error(`'${whole}' is no entity.`)
    return character
  })
}
