import { existsSync } from 'node:fs'
import { env } from 'node:process'
import { chromium, type Browser } from 'playwright-core'

/** The Chromium of the machine, such as that of Debian; `null` if there is none. `CHROMIUM` names another one. */
export const chromiumPath: string | null =
  [env['CHROMIUM'] ?? '', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
    (path) => path !== '' && existsSync(path),
  ) ?? null

/** Starts Chromium without a window. It finds no host but this one. */
export async function openBrowser(): Promise<Browser> {
  const args = [
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    '--disable-dev-shm-usage',
    // A page that a test makes up counts as one of the internet, which may not reach this host.
    '--disable-features=LocalNetworkAccessChecks',
  ]
  return chromium.launch({ executablePath: chromiumPath ?? '', args, timeout: 0 })
}
