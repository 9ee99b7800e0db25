import { createServer } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { resources } from './resources.snapshot.js'

export const server = createServer({
  resources,
  access: 'open',
  data: memoryData({ albums: [{ id: 1, title: 'OK Computer', artistId: null }], artists: [] }),
})
