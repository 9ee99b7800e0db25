export { jwtBearer, type JwtBearerOptions, type TokenKeys } from './serve/access/jwt-bearer.js'
