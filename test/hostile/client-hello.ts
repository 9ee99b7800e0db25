import { Duplex } from 'node:stream'
import { connect } from 'node:tls'

/** Returns the first bytes that a client of TLS sends. */
export function clientHello(): Promise<Buffer> {
  return new Promise((resolve) => {
    const transport = new Duplex({
      read: () => undefined,
      write(chunk: Buffer, _encoding, done) {
        resolve(chunk)
        done()
      },
    })
    connect({ socket: transport, rejectUnauthorized: false, ALPNProtocols: ['h2', 'http/1.1'] })
  })
}
