import { reply, createServer, defineResource } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { album } from './albums.js'

const albums = defineResource('albums', { ...album, attributes: (a) => ({ title: a.string() }) })
const server = createServer({ resources: [albums], data: memoryData() })

// refuses: '"AfterCreat"' is not assignable to parameter of type 'keyof TypeEvents<
server.on('AfterCreat', 'albums', () => null)
// refuses: '"album"' is not assignable to parameter of type '"albums"'.
server.on('AfterCreate', 'album', () => null)
server.on('BeforeSave', 'albums', ({ draft, original }) => {
  // refuses: Type 'number' is not assignable to type 'string'.
  draft.title = 5
  // refuses: Property 'titel' does not exist on type 'Draft<
  draft.titel = 'x'
  // refuses: 'original' is possibly 'null'.
  return void original.title
})
server.on('AfterCreate', 'albums', ({ row }) => {
  // refuses: Cannot assign to 'title' because it is a read-only property.
  row.title = 'x'
})
server.on('BeforeDelete', 'albums', (event) => {
  // refuses: Property 'draft' does not exist on type
  void event.draft
})
// refuses: 'NoContentReply' is not assignable to type 'Awaitable<void>'.
server.on('BeforeCreate', 'albums', () => reply.noContent())
// refuses: 'NoContentReply' is not assignable to type 'Awaitable<void>'.
server.on('AfterAction', 'albums', () => reply.noContent())
server.on('AfterCreate', 'albums', ({ row }) => reply.meta({ title: row.title }))
