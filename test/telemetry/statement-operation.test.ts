import { expect, test } from 'vitest'
import { statementOperation } from '../../src/server/telemetry/statement-operation.js'

test.each([
  ['select 1', 'SELECT'],
  ['(select 1) union (select 2)', 'SELECT'],
  ['begin immediate', 'BEGIN'],
  ['rollback to savepoint a', 'ROLLBACK'],
  ['insert into albums default values', 'INSERT'],
  ['with found as (select 1) select * from found', 'SELECT'],
  [
    'with found as (select 1), stored as (insert into albums default values returning id) select id from stored',
    'INSERT',
  ],
  ['with gone as (delete from albums returning id) select id from gone', 'DELETE'],
  ['', 'UNKNOWN'],
])('The operation of "%s" is %s', (sql, operation) => {
  expect(statementOperation(sql)).toBe(operation)
})
