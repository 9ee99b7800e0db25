export { jwtBearer } from './serve/access/jwt-bearer.js'
