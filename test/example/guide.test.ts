import type { Listening } from 'ashlar/node'
import { beforeAll, describe, expect, test } from 'vitest'
import { replyTo, shownReply } from '../docs/exchange.js'
import type { Fence } from '../docs/fences.js'
import { blocksOf, guidePages, isExchange, type Step } from '../docs/guide-pages.js'
import { ranBlock } from '../docs/in-process.js'
import { type Met, replyWithValues, textWithValues } from '../docs/page-values.js'
import { musicServices } from '../support/music-service.js'

/** The address that pages write: that of a catalogue started by hand. */
const shownAddress = 'http://127.0.0.1:3000'

const pages = guidePages
  .map(({ name, steps }) => ({ name, exchanges: steps.filter(({ fence }) => isExchange(fence) || isProgram(fence)) }))
  .filter(({ exchanges }) => exchanges.length > 0)

describe.each(musicServices)('the example has the responses that the guide shows, on %s', (_engine, open) => {
  const music = open()
  let listening: Listening
  beforeAll(async () => {
    listening = await music.listen()
  })

  test.each(pages)('$name', async ({ exchanges }) => {
    const met: Met = new Map()
    for (const exchange of exchanges) await follow(exchange, listening.url, met)
  })
})

test.each(blocksOf('ends').filter(({ fence }) => !isProgram(fence)))(
  '$location prints what the page shows',
  async ({ fence, output }) => {
    expect(await ranBlock(fence.text)).toEqual({ printed: output, thrown: null })
  },
)

test.each(blocksOf('faulty'))('$location throws what the page shows', async ({ fence, output }) => {
  expect(await ranBlock(fence.text)).toEqual({ printed: '', thrown: output })
})

/** Returns whether a block is a program that sends requests to the catalogue. */
function isProgram({ language, info, text }: Fence): boolean {
  return language === 'ts' && 'ends' in info && text.includes(shownAddress)
}

/** Sends a request of a page or runs a program, and compares the response with the one that the page shows. */
async function follow({ fence, next }: Step, address: string, met: Met): Promise<void> {
  const here = (text = ''): string => text.replaceAll(shownAddress, address)
  if (isProgram(fence)) {
    const ran = await ranBlock(here(fence.text))
    return expect(ran, fence.location).toEqual({ printed: here(next?.text).trim(), thrown: null })
  }
  const shown = shownReply(here(next?.text))
  const response = await replyTo(textWithValues(here(fence.text), met), Object.keys(shown.headers))
  expect(response, next?.location).toEqual(replyWithValues(shown, response, met))
}
