import { useQueryClient } from '@tanstack/react-query'
import { AlbumEditor } from './album-editor.tsx'
import { AlbumList } from './album-list.tsx'
import { useSearch } from './location.ts'
import { signOut, useToken } from './session.ts'
import { SignIn } from './sign-in.tsx'

export function App() {
  const token = useToken()
  const album = useSearch().get('album')
  const queryClient = useQueryClient()

  const leave = () => {
    signOut()
    // The next user must not see what this one has read.
    queryClient.clear()
  }

  if (token === null) return <SignIn />
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header>
        <p>Music catalogue</p>
        <button type="button" onClick={leave}>
          Sign out
        </button>
      </header>
      <main id="main" tabIndex={-1}>
        {album === null ? <AlbumList /> : <AlbumEditor key={album} id={album} />}
      </main>
    </>
  )
}
