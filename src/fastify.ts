export { fastifyAdapter, placeRoutes } from './server/frameworks/fastify.js'
export type { FrameworkOptions, FrameworkServer, PlacementOptions } from './server/frameworks/framework-server.js'
