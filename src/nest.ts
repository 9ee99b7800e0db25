export { nestAdapter, placeRoutes } from './server/frameworks/nest.js'
