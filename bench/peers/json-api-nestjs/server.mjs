/** The catalogue with json-api-nestjs, on Nest's usual Express and TypeORM: `node server.mjs <address>`. */
import { announce, portOf } from '../process.mjs'
import { argv } from 'node:process'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { TypeOrmModule } from '@nestjs/typeorm'
import nestjs from 'json-api-nestjs'
import { Albums, Artists, Tracks } from './entities.mjs'

const entities = [Artists, Albums, Tracks]

// oxlint-disable-next-line typescript/no-extraneous-class -- that is how Nest has modules
class CatalogueModule {}
const imports = [
  TypeOrmModule.forRoot({ type: 'postgres', url: argv[2], entities, logging: false }),
  nestjs.JsonApiModule.forRoot({ entities, options: { debug: false, requiredSelectField: false } }),
]
Reflect.decorate([Module({ imports })], CatalogueModule)

const app = await NestFactory.create(CatalogueModule, { logger: false, abortOnError: false })
// It reads bodies as any JSON, and answers as such.
app.useBodyParser('json', { type: ['application/json', 'application/vnd.api+json'] })
await app.listen(0, '127.0.0.1')
announce(portOf(app.getHttpServer()))
