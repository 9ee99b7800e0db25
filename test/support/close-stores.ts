import { afterAll, afterEach, beforeEach } from 'vitest'
import { beginTest, closeDatabases, endTest } from './open-databases.js'

beforeEach(beginTest)
afterEach(endTest)
afterAll(closeDatabases)
