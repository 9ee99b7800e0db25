export { honoAdapter, honoErrors, placeRoutes } from './server/frameworks/hono.js'
