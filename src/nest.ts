export { nestAdapter, type NestOptions, type NestPlacementOptions, placeRoutes } from './frameworks/nest.js'
export type { FrameworkOptions, FrameworkServer, PlacementOptions } from './frameworks/framework-server.js'
