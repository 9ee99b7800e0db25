import { createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'

const albums = defineResource('albums', {
  model: model<{ id: number; title: string }>('albums'),
  id: id().generated(),
  attributes: (a) => ({ title: a.string().minLength(9).maxLength(3) }),
})

// oxlint-disable-next-line import/no-default-export -- one of the ways in which modules have a server
export default createServer({ resources: [albums], data: memoryData() })
