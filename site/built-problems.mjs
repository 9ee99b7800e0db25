// @ts-check
/** Checks the built site. VitePress itself finds dead links, but not missing anchors and assets of other hosts. */
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { argv, exit } from 'node:process'
import { fileURLToPath } from 'node:url'

/**
 * Returns the problems of the files of a site: dead links, missing anchors, and assets of other hosts.
 * @param {ReadonlyMap<string, string>} files the texts by their paths; other files have an empty text
 * @returns {readonly string[]}
 */
export function builtProblems(files) {
  const ids = new Map([...files].map(([path, text]) => [path, new Set(values(text, /\sid="([^"]*)"/g))]))
  return [...files].flatMap(([path, text]) => {
    if (path.endsWith('.css')) return values(text, /url\(["']?((?:https?:)?\/\/[^)"']*)/g).map(external(path))
    if (!path.endsWith('.html')) return []
    const assets = values(text, /<(?:script|link|img|source|iframe)\b[^>]*?\s(?:src|href)="((?:https?:)?\/\/[^"]*)"/g)
    const links = values(text, /<a\b[^>]*?\shref="(?!\w+:)([^"]*)"/g)
    return [...assets.map(external(path)), ...links.flatMap((link) => deadLink(path, link, ids))]
  })
}

/** @param {string} path @returns {(address: string) => string} */
function external(path) {
  return (address) => `${path} loads ${address}`
}

/**
 * @param {string} page
 * @param {string} link
 * @param {ReadonlyMap<string, ReadonlySet<string>>} ids
 * @returns {readonly string[]}
 */
function deadLink(page, link, ids) {
  const [address = '', anchor = ''] = link.replaceAll('&amp;', '&').split('#')
  const target = targetOf(page, decodeURI(address))
  const found = [target, `${target}.html`, posix.join(target, 'index.html')].find((path) => ids.has(path))
  if (found === undefined) return [`${page} links to ${link}, which does not exist`]
  // The theme creates the table of contents and the skip link in the browser.
  const isThere = anchor === '' || ids.get(found)?.has(decodeURIComponent(anchor)) === true
  return isThere ? [] : [`${page} links to ${link}, but the anchor is missing`]
}

/** @param {string} page @param {string} address */
function targetOf(page, address) {
  if (address === '') return page
  return address.startsWith('/') ? address.slice(1) : posix.join(posix.dirname(page), address)
}

/** @param {string} text @param {RegExp} pattern */
function values(text, pattern) {
  return [...text.matchAll(pattern)].map(([, value = '']) => value)
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const folder = fileURLToPath(new URL('dist/', import.meta.url))
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: false }).map((path) =>
    path.replaceAll('\\', '/'),
  )
  const files = new Map(
    paths.map((path) => [path, /\.(?:html|css)$/.test(path) ? readFileSync(`${folder}${path}`, 'utf8') : '']),
  )
  const problems = builtProblems(files)
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) exit(1)
}
