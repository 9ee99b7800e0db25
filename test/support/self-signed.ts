import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** A self-signed certificate and its key, both as PEM. */
export interface SelfSigned {
  readonly certificate: string
  readonly key: string
}

/** Makes a certificate (RFC 5280) for a host that is valid today. */
export function selfSigned(host: string): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const algorithm = sequence(OID_ECDSA_WITH_SHA256)
  const name = sequence(tagged(0x31, sequence(OID_COMMON_NAME, tagged(0x0c, Buffer.from(host)))))
  const validity = sequence(time(Date.now() - DAY), time(Date.now() + DAY))
  const serial = tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)]))
  const publicInfo = publicKey.export({ type: 'spki', format: 'der' })
  const body = sequence(serial, algorithm, name, validity, name, publicInfo)
  const signature = tagged(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]))
  const lines =
    sequence(body, algorithm, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return {
    certificate: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n'),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim(),
  }
}

const DAY = 24 * 60 * 60 * 1000
const OID_ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex')
const OID_COMMON_NAME = Buffer.from('0603550403', 'hex')

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts))
}

function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replaceAll(/\D/g, '')
  return tagged(0x17, Buffer.from(`${digits.slice(2, 14)}Z`))
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
