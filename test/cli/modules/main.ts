import { argv, env } from 'node:process'
import { listen } from 'ashlar/node'
import { server } from './database-from-environment.js'

/**
 * Serves the database of each argument in turn. Prints the status of a response, or the message of the error that prevents
 * the server from starting.
 */
for (const file of argv.slice(2)) {
  env['ALBUMS_DATABASE'] = file
  try {
    const built = server()
    await built.ready()
    const listening = await listen(built)
    console.log((await fetch(`${listening.url}/albums`)).status)
    await listening.close()
  } catch (thrown) {
    console.error(thrown instanceof Error ? thrown.message : thrown)
    process.exitCode = 1
  }
}
