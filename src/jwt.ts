export { jwtBearer, type JwtBearerOptions, type TokenKeys } from './access/jwt-bearer.js'
