export { fastifyAdapter, placeRoutes } from './server/frameworks/fastify.js'
