import { honoAdapter, honoErrors, placeRoutes } from 'ashlar/hono'
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import {
  type Application,
  type Framework,
  isRefusal,
  listeningFetch,
  ownHeaders,
  type User,
  userNamed,
} from './host.js'

/** The variables of the application. */
interface Variables {
  readonly Variables: { user: User | null }
}

export const honoHost: Framework = {
  name: 'Hono',
  isFramework: true,
  hostOfTarget: 'staff.example',
  endsUnreadBodies: true,
  leavesCompressedBodies: true,
  open({ server, parsesBodies }) {
    const app = new Hono<Variables>()
    inFront(app, parsesBodies)
    app.route('/api/v1', honoAdapter<Variables>(server, { caller: ({ var: { user } }) => user }))
    behind(app, server)
    return listeningFetch(app.fetch)
  },
  place({ server }) {
    const app = new Hono<Variables>()
    inFront(app)
    app.route('/api/v1', honoAdapter(server))
    const staff = new Hono<Variables>()
    staff.use(async (context, next) => {
      context.header('X-Staff', 'yes')
      await next()
    })
    placeRoutes(staff, server, { server: 'staff', caller: ({ var: { user } }) => user })
    app.route('/tenants/:tenant/staff', staff)
    behind(app, server)
    return listeningFetch(app.fetch)
  },
}

/** The middleware of the application in front of a server. */
function inFront(app: Hono<Variables>, parsesBodies = false): void {
  app.use(async (context, next) => {
    for (const [name, value] of Object.entries(ownHeaders)) context.header(name, value)
    const user = userNamed(context.req.header('authorization'))
    if (isRefusal(user)) {
      throw new HTTPException(user.status, { res: new Response('own error', { headers: user.headers }) })
    }
    context.set('user', user)
    if (parsesBodies && context.req.header('content-type')?.includes('json') === true) {
      await context.req.json().catch(() => undefined)
    }
    await next()
    if (context.req.header('x-late-failure') !== undefined) throw new Error('late')
  })
}

/** The routes of the application itself. */
function behind(app: Hono<Variables>, server: Application['server']): void {
  app.get('/api/v1/hello', (context) => context.text('hello'))
  app.get('/api/v1/broken', () => {
    throw new Error('secret')
  })
  app.notFound((context) => context.text('own 404', 404))
  app.onError(
    honoErrors(server, (error, context) =>
      context.text('own error', error instanceof HTTPException ? error.status : 500),
    ),
  )
}
