import { listen } from 'ashlar/node'
import { server } from './placed.js'

/** As small as a program can be that says what keeps it from serving. */
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
