import { server } from './server.js'

const response = await server.fetch(new Request('http://music.example/albums/1'))
console.log(JSON.stringify({ types: server.types, status: response.status, document: await response.json() }))
