import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { ClientError } from '@ashlar/client'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { currentToken, signOut } from './session.ts'
import './style.css'

/** Ends the session on the first response with 401: a token may expire or be revoked at any time. */
function onError(error: Error): void {
  if (currentToken() === null || !(error instanceof ClientError) || error.status !== 401) return
  signOut('Your session has ended. Please sign in again.')
}

const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  // The client itself retries requests.
  defaultOptions: { queries: { retry: false, staleTime: 10_000 } },
})

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id root.')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
)
