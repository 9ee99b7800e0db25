import { afterAll } from 'vitest'
import { closeDatabases } from './open-databases.js'

afterAll(closeDatabases)
