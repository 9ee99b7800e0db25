import { env } from 'node:process'
import { type CanActivate, Controller, type ExecutionContext, Get, Module, UnauthorizedException } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { nestAdapter, placeRoutes } from 'ashlar/nest'
import type { Request } from 'express'

const albums = defineResource('albums', {
  model: model<{ id: number; title: string }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().required() }),
  server: ['default', 'staff'],
  policy: () => ({ viewAny: true, view: true, create: ({ caller }) => caller !== null }),
})

const server = createServer({
  resources: [albums],
  data: memoryData({ albums: [{ id: 1, title: 'Dummy' }] }),
  servers: { staff: { routing: 'manual' } },
})
await server.ready()

// The guards of the application authenticate callers.
interface Signed extends Request {
  user?: { readonly name: string } | null
}
class SignIn implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Signed>()
    const name = request.get('Authorization')
    request.user = name === undefined ? null : { name }
    return true
  }
}
class OnlySignedIn implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.switchToHttp().getRequest<Signed>().user === null) throw new UnauthorizedException()
    return true
  }
}
const caller = ({ user }: Signed) => user

@Controller()
class HelloController {
  @Get('hello')
  hello(): string {
    return 'Hello'
  }
}

@Module({
  imports: [
    nestAdapter(server, { path: 'api/v1', guards: [SignIn], caller }),
    // A group with its own path and guards, in which the routes of the server `staff` are placed.
    placeRoutes(server, { server: 'staff', path: 'staff', guards: [SignIn, OnlySignedIn], caller }),
  ],
  controllers: [HelloController],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] })
await app.listen(Number(env['PORT'] ?? 3000), '127.0.0.1')
console.log(`Served at ${await app.getUrl()}`)
