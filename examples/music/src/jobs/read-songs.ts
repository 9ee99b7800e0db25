/** A line of a file to import. */
export interface Song {
  readonly artist: string
  readonly album: string
  readonly title: string
  readonly seconds: number
}

/** Parses lines of `artist`, `album`, `title` and seconds, separated by tabs; `null` if a line is malformed. */
export function readSongs(text: string): readonly Song[] | null {
  const songs: Song[] = []
  for (const line of text.split(/\r?\n/)) {
    if (line === '') continue
    const [artist = '', album = '', title = '', seconds = '', ...rest] = line.split('\t')
    const isSong = artist !== '' && album !== '' && title !== '' && /^\d{1,5}$/.test(seconds) && rest.length === 0
    if (!isSong || /\p{Cc}/u.test(artist + album + title)) return null
    songs.push({ artist, album, title, seconds: Number(seconds) })
  }
  return songs
}
