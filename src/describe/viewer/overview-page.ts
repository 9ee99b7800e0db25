import type { Contract } from '../contract/contract.js'
import type { Html } from './html.js'
import { html, nothing } from './html.js'
import type { Steps } from '../../core/util/in-slices.js'
import { typeList } from './type-list.js'
import { typeSection } from './type-section.js'
import type { UrlOf } from './viewer-page.js'

/**
 * Creates the overview of the types of a server: a list with their relations, and for each type its filters, sorts, include paths, pages and
 * limits. It is a separate page, for browsers without scripts; the viewer shows its `main` element.
 */
export function* overviewPage(contract: Contract, urlOf: UrlOf): Steps<Html> {
  const types = contract.types.toSorted((one, other) => (one.type < other.type ? -1 : 1))
  const names = new Set(types.map(({ type }) => type))
  const sections: Html[] = []
  for (const type of types) {
    sections.push(typeSection(contract, type, names))
    yield
  }
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Types and relations</title>
<link rel="icon" href="${urlOf('favicon-32x32.png')}">
<link rel="stylesheet" href="${urlOf('viewer.css')}">
</head>
<body>
<main class="overview">
<h2>Types and relations</h2>
${types.length === 0 ? html`<p>This server has no types.</p>` : html`<nav aria-label="Types">${typeList(types, names)}</nav>`}
${sections}
${profiles(contract)}
</main>
</body>
</html>
`
}

function profiles({ profiles: all, extensions }: Contract): Html {
  if (all.length === 0 && extensions.length === 0) return nothing
  return html`<section aria-labelledby="media-types"><h3 id="media-types">Profiles and extensions</h3>
<ul>${all.map((uri) => html`<li>profile <code>${uri}</code></li>`)}${extensions.map(({ uri, path }) => html`<li>extension <code>${uri}</code> at <code>${path}</code></li>`)}</ul>
</section>
`
}
