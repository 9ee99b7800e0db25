/** The catalogue with json-api-nestjs, on Nest's usual Express and TypeORM: `node server.mjs <address>`. */
import { announce, portOf } from '../process.mjs'
import { argv } from 'node:process'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { TypeOrmModule } from '@nestjs/typeorm'
import nestjs from 'json-api-nestjs'
import { Albums, Artists, Tracks } from './entities.mjs'

const entities = [Artists, Albums, Tracks]

// oxlint-disable-next-line typescript/no-extraneous-class -- modules of Nest are empty classes
class CatalogueModule {}
const imports = [
  TypeOrmModule.forRoot({ type: 'postgres', url: argv[2], entities, logging: false }),
  nestjs.JsonApiModule.forRoot({ entities, options: { debug: false, requiredSelectField: false } }),
]
Reflect.decorate([Module({ imports })], CatalogueModule)

const app = await NestFactory.create(CatalogueModule, { logger: false, abortOnError: false })
// The library reads and writes bodies as plain JSON.
app.useBodyParser('json', { type: ['application/json', 'application/vnd.api+json'] })
await app.listen(0, '127.0.0.1')
announce(portOf(app.getHttpServer()))
