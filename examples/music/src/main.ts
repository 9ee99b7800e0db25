import { listen, type Listening } from 'ashlar/node'
import { catalogue, requestsToTry } from './catalogue.js'

const port = Number(process.env['PORT'] ?? 3000)
const listening = await start()
if (listening !== null) {
  console.log(`The music catalogue is served at ${listening.url}. Try:\n`)
  for (const request of requestsToTry(listening.url)) console.log(`  ${request}`)
  console.log('\nCtrl+C ends it.')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void listening.close())
}

/** `null` when there is nothing to listen on; the exit code says so too. */
async function start(): Promise<Listening | null> {
  try {
    return await listen(catalogue(), { port })
  } catch (error) {
    const reason = refusal(error)
    if (reason === null) throw error
    console.error(reason)
    process.exitCode = 1
    return null
  }
}

/** What is the caller's to mend, in one sentence; `null` for everything else. */
function refusal(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'EADDRINUSE') return `Port ${port} is in use: end what listens there, or choose another with PORT=3001.`
  if (code === 'EACCES') return `Port ${port} needs more rights: choose one above 1023 with PORT=3001.`
  if (code === 'ERR_SOCKET_BAD_PORT')
    return `PORT is '${process.env['PORT']}', which is no port: give a number up to 65535.`
  return null
}
