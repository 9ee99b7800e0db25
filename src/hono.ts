export { honoAdapter, honoErrors, placeRoutes } from './server/frameworks/hono.js'
export type { FrameworkOptions, FrameworkServer, PlacementOptions } from './server/frameworks/framework-server.js'
