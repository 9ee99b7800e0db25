import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ClientError } from '@ashlar/client'
import { type FormEvent, useRef, useState } from 'react'
import { client } from './client.ts'
import { otherMessages } from './errors.ts'
import { Field } from './field.tsx'
import { authorization, endReason, signIn } from './session.ts'

/** Lets the user enter a token, and tests it before it is stored. */
export function SignIn() {
  const [token, setToken] = useState('')
  const queryClient = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const trial = useMutation({
    mutationFn: (candidate: string) =>
      client.types.albums.list({
        headers: authorization(candidate),
        fields: { albums: ['title'] },
        page: { size: 1 },
      }),
    onSuccess: (_, candidate) => {
      // Clears the cache of the previous user.
      queryClient.removeQueries()
      signIn(candidate)
    },
    onError: () => input.current?.focus(),
  })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!trial.isPending) trial.mutate(token.trim())
  }

  return (
    <main className="sign-in">
      <title>Sign in – Music catalogue</title>
      <h1>Music catalogue</h1>
      {endReason() === '' ? null : <p role="alert">{endReason()}</p>}
      <form onSubmit={submit} noValidate>
        <Field
          label="Token"
          hint="dev-alice, dev-bob or dev-admin, unless you have set others."
          errors={problems(trial.error)}
        >
          {(props) => (
            <input
              {...props}
              ref={input}
              type="password"
              autoComplete="current-password"
              required
              value={token}
              onChange={(event) => setToken(event.target.value)}
            />
          )}
        </Field>
        <button className="primary" aria-disabled={trial.isPending}>
          Sign in
        </button>
      </form>
    </main>
  )
}

function problems(error: Error | null): readonly string[] {
  if (error instanceof ClientError && error.status === 401) return ['The service does not accept this token.']
  return otherMessages(error)
}
