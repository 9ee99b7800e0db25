import { AlbumEditor } from './album-editor.tsx'
import { AlbumList } from './album-list.tsx'
import { useSearch } from './location.ts'
import { signOut, useToken } from './session.ts'
import { SignIn } from './sign-in.tsx'

export function App() {
  const token = useToken()
  const album = useSearch().get('album')

  if (token === null) return <SignIn />
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header>
        <p>Music catalogue</p>
        <button type="button" onClick={() => signOut()}>
          Sign out
        </button>
      </header>
      <main id="main" tabIndex={-1}>
        {album === null ? <AlbumList /> : <AlbumEditor key={album} id={album} />}
      </main>
    </>
  )
}
