export { honoAdapter, honoErrors, placeRoutes } from './frameworks/hono.js'
export type { FrameworkOptions, FrameworkServer, PlacementOptions } from './frameworks/framework-server.js'
