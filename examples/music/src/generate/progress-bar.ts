/** The terminal of a progress bar: `process.stderr`. */
export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface ProgressBar {
  show(done: number): void
  /** Erases the bar. */
  clear(): void
}

const eraseLine = '\r\u001B[K'
const widest = 40

/** Creates a progress bar on one line of a terminal. Nothing is drawn if the output is not a terminal. */
export function progressBar(screen: Screen, total: number): ProgressBar {
  if (screen.isTTY !== true) return { show: () => undefined, clear: () => undefined }
  let drawn = ''
  return {
    show(done) {
      const line = lineOf(done, total, screen.columns || 80)
      if (line === drawn) return
      drawn = line
      screen.write(eraseLine + line)
    },
    clear() {
      screen.write(eraseLine)
    },
  }
}

function lineOf(done: number, total: number, columns: number): string {
  const percent = Math.floor((done / total) * 100)
  const words = ` ${String(percent).padStart(3)} % of ${total.toLocaleString('en-US')} tracks`
  // A line that fills the last column would wrap, and could not be overwritten.
  const width = Math.min(widest, columns - words.length - 1)
  if (width < 1) return `${percent} %`
  const full = Math.floor((done / total) * width)
  return '█'.repeat(full) + '░'.repeat(width - full) + words
}
