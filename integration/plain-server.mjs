// @ts-check
/** A small JSON:API server without any library. It has one fault: its media type has a parameter. */
export const plainServer = `
import { createServer } from 'node:http'

const books = ['Emma', 'Persuasion', 'Sanditon'].map((title, index) => ({ type: 'books', id: String(index + 1), attributes: { title } }))

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
  const [, type, id] = pathname.split('/')
  const send = (status, document) => {
    response.writeHead(status, { 'Content-Type': 'application/vnd.api+json; charset=utf-8' })
    response.end(request.method === 'HEAD' ? undefined : JSON.stringify(document))
  }
  const refuse = (status, source) => send(status, { errors: [{ status: String(status), ...(source && { source }) }] })
  const media = (request.headers.accept ?? '').split(',').filter((each) => each.includes('application/vnd.api+json'))
  if (media.length > 0 && media.every((each) => /;(?!\\s*q=)/.test(each))) return refuse(406)
  const [parameter] = searchParams.keys()
  if (parameter !== undefined) return refuse(400, { parameter })
  if (type !== 'books') return refuse(404)
  if (id === undefined) return send(200, { data: books, links: { self: '/books' } })
  const book = books.find((each) => each.id === id)
  return book === undefined ? refuse(404) : send(200, { data: book, links: { self: pathname } })
})
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port))
process.on('SIGINT', () => process.exit(0))
`
