export { fastifyAdapter, placeRoutes } from './frameworks/fastify.js'
export type { FrameworkOptions, FrameworkServer, PlacementOptions } from './frameworks/framework-server.js'
