export { nestAdapter, type NestOptions, type NestPlacementOptions, placeRoutes } from './server/frameworks/nest.js'
export type { FrameworkOptions, FrameworkServer, PlacementOptions } from './server/frameworks/framework-server.js'
