export { expressAdapter, expressErrors, placeRoutes } from './server/frameworks/express.js'
