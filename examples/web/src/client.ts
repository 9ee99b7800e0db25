import { createClient } from '@ashlar/client'
import { createQueries } from '@ashlar/client/tanstack-query'
import type { Api } from './api.js'
import { authorization, currentToken } from './session.ts'

/** The client of the music catalogue. It calls `headers` before each request, so that it always sends the current token. */
export const client = createClient<Api>({
  url: import.meta.env.VITE_API_URL ?? 'http://127.0.0.1:3000',
  headers: () => authorization(currentToken()),
  timeout: 10_000,
})

/** The queries and mutations of the types that the page uses. */
export const { albums, artists } = createQueries(client).types
