// @ts-check
/**
 * Measures a failover. Starts a PostgreSQL primary with a streaming replica, PgBouncer in transaction mode, two processes of a
 * service, and nginx in front of them; writes and reads under load; kills the primary with all its processes, promotes the replica, and
 * redirects PgBouncer to it. Prints how long writes failed, which errors clients got, and how many acknowledged writes were lost. It runs twice
 * with synchronous replication, where the exit code is 1 if a write was lost, and once with asynchronous replication.
 *
 * Needs a build, and Debian's packages postgresql, pgbouncer and nginx. Takes about a minute.
 */
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exit } from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import * as databases from './databases.mjs'
import { startLoad } from './load.mjs'
import { endAll, findPrograms, userIds, versionsOf } from './programs.mjs'
import { createTables, startService, statementTimeout } from './service.mjs'

/** @typedef {import('./programs.mjs').Programs} Programs */
/** @typedef {import('./load.mjs').Load} Load */

const found = findPrograms()
if ('missing' in found) {
  console.error(
    `These Debian packages are missing: ${found.missing.join(', ')}. apt-get install ${found.missing.join(' ')}`,
  )
  exit(1)
}
const versions = await versionsOf(found)
/** PgBouncer supports prepared statements since 1.21. */
const prepares = Number.parseFloat(versions.pgbouncer) >= 1.21
console.log(
  `PostgreSQL ${versions.postgres}, PgBouncer ${versions.pgbouncer} (pool_mode = transaction, prepare: ${prepares}), nginx ${versions.nginx}, two processes.`,
)
console.log(`The replica is ${databases.distance} ms away. 8 clients write with keys, 4 clients only read.`)

/**
 * @typedef {object} Scenario
 * @property {string} title
 * @property {boolean} isSynchronous  whether commits wait for the replica
 * @property {boolean} isOutOfReach  whether the replica is unreachable before the primary is lost, for longer than the statement timeout
 */

/** @type {readonly Scenario[]} */
const scenarios = [
  { title: 'Synchronous replication', isSynchronous: true, isOutOfReach: false },
  {
    title: `Synchronous replication, and the replica is out of reach for ${(statementTimeout * 1.5) / 1000} s before the primary is lost`,
    isSynchronous: true,
    isOutOfReach: true,
  },
  { title: 'Asynchronous replication', isSynchronous: false, isOutOfReach: false },
]

let hasFailed = false
try {
  for (const each of scenarios) {
    const faults = await run(found, each)
    if (each.isSynchronous && faults > 0) hasFailed = true
  }
} finally {
  await endAll()
}
exit(hasFailed ? 1 : 0)

/** @param {Programs} programs @param {Scenario} scenario @returns {Promise<number>} how many writes are lost, stored twice, or not seen */
async function run(programs, { title, isSynchronous, isOutOfReach }) {
  const folder = mkdtempSync(join(tmpdir(), 'failover-'))
  chmodSync(folder, 0o755)
  if (userIds.uid !== undefined && userIds.gid !== undefined) chownSync(folder, userIds.uid, userIds.gid)
  console.log(`\n${title}`)
  try {
    const primary = await databases.startPrimary(programs, folder)
    const replica = await databases.startReplica(programs, folder, primary)
    if (isSynchronous) await databases.waitForReplica(primary)
    await createTables(primary.port)
    const bouncer = await databases.startPgBouncer(programs, folder, { target: primary.port, prepares })
    const addresses = { primary: bouncer.port, replica: replica.port, prepares }
    const service = await startService(programs, folder, addresses)
    /** @param {string} name */
    const clients = (name) => startLoad(service.url, { name, writers: 8, readers: 4 })

    await phase('A process is restarted', clients('a'), async () => {
      await pause(1000)
      await service.restartOne()
      await pause(1000)
    })
    const load = await phase('The primary is lost', clients('b'), async () => {
      await pause(2000)
      if (isOutOfReach) {
        replica.line.freeze()
        await pause(statementTimeout * 1.5)
      }
      replica.line.cut()
      await databases.killServer(primary)
      // The time until an operator, or a program such as Patroni, notices.
      await pause(1000)
      await databases.promote(programs, replica)
      await bouncer.repoint(replica.port)
      await pause(3000)
    })
    const lost = await compare(load, replica.port)
    await service.end()
    return lost
  } finally {
    await endAll()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Runs a load, changes something meanwhile, and prints the results of the clients.
 * @param {string} title @param {Load} load @param {() => Promise<void>} change
 */
async function phase(title, load, change) {
  await change()
  await load.end()
  console.log(`  ${title}`)
  print('writes acknowledged', `${load.acknowledged.size}, ${load.replayed} of them when they were repeated`)
  print('longest time without a write', `${load.longestGap().toFixed(1)} s`)
  print('writes that failed, and were repeated', counted(load.writeErrors))
  print('reads', `${load.reads}; longest time without one ${load.longestReadGap().toFixed(1)} s`)
  print('reads that failed', counted(load.readErrors))
  print('own writes that were not seen', String(load.unseen))
  return load
}

/** @param {string} name @param {string} value */
function print(name, value) {
  console.log(`    ${name.padEnd(40)} ${value}`)
}

/** @param {Map<string, number>} counts */
function counted(counts) {
  return counts.size === 0 ? 'none' : [...counts].map(([status, count]) => `${count} x ${status}`).join(', ')
}

/**
 * Compares the acknowledged writes with the stored rows.
 * @param {Load} load @param {number} port @returns {Promise<number>} the number of differences
 */
async function compare(load, port) {
  const rows = await databases.query(
    port,
    "select title, count(*)::int as count from albums where title like 'Album b%' group by title",
  )
  const stored = new Map(rows.map(({ title, count }) => [String(title), Number(count)]))
  const lost = [...load.acknowledged].filter((title) => !stored.has(title)).length
  const twice = [...stored.values()].filter((count) => count > 1).length
  print('acknowledged writes that are lost', String(lost))
  print('writes that are stored twice', String(twice))
  return lost + twice + load.unseen
}
