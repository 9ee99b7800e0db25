import { expressAdapter, expressErrors, placeRoutes } from 'ashlar/express'
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express'
import { failLate, type Framework, isRefusal, listening, ownHeaders, type User, userNamed } from './host.js'

interface Signed extends Request {
  user?: User | null
}

export const expressHost: Framework = {
  name: 'Express',
  isFramework: true,
  trustsProxies: true,
  open({ server, parsesBodies, trustsProxy }) {
    const app = express()
    if (trustsProxy === true) app.set('trust proxy', true)
    inFront(app, parsesBodies)
    app.use(authentication)
    app.use('/api/v1', expressAdapter(server, { caller: ({ user }: Signed) => user }))
    behind(app)
    return listening(app)
  },
  place({ server }) {
    const app = express()
    inFront(app)
    app.use(authentication)
    app.use('/api/v1', expressAdapter(server))
    const staff = express.Router()
    staff.use((_request, response, next) => {
      response.set('X-Staff', 'yes')
      next()
    })
    placeRoutes(staff, server, { server: 'staff', caller: ({ user }: Signed) => user })
    app.use('/tenants/:tenant/staff', staff, expressErrors(server, { server: 'staff' }))
    behind(app)
    return listening(app)
  },
}

/** The handlers of the application in front of a server. */
function inFront(app: Express, parsesBodies = false): void {
  app.use((request, response, next) => {
    response.set(ownHeaders)
    if (request.get('X-Late-Failure') !== undefined) failLate(response)
    next()
  })
  if (parsesBodies) app.use(express.json({ type: ['application/json', 'application/vnd.api+json'], limit: '1mb' }))
}

const authentication: RequestHandler = (request: Signed, _response, next) => {
  const user = userNamed(request.get('authorization'))
  if (isRefusal(user)) {
    next(Object.assign(new Error('not you'), user))
    return
  }
  request.user = user
  next()
}

/** The routes of the application itself. */
function behind(app: Express): void {
  app.get('/api/v1/hello', (_request, response) => void response.send('hello'))
  app.get('/api/v1/broken', () => {
    throw new Error('secret')
  })
  app.use((_request, response) => void response.status(404).send('own 404'))
  app.use(ownErrors)
}

const ownErrors: ErrorRequestHandler = (error: { status?: number }, _request, response, next) => {
  if (response.headersSent) next(error)
  else response.status(error.status ?? 500).send('own error')
}
