import type { DescribedServer } from '../openapi/described-server.js'
import { graphPicture } from './graph-picture.js'
import type { Html } from './html.js'
import { html, nothing } from './html.js'
import { typeLink } from './prose.js'
import { relationGraph } from './relation-graph.js'
import type { Steps } from '../../core/util/in-slices.js'
import { typeSection } from './type-section.js'
import type { UrlOf } from './viewer-page.js'

/**
 * Creates the overview of the types of a server: a picture of their relations, and for each type its filters, sorts, include paths, pages and
 * limits. It is a separate page, for browsers without scripts; the viewer shows its `main` element.
 */
export function* overviewPage(server: DescribedServer, urlOf: UrlOf): Steps<Html> {
  const types = server.types.toSorted((one, other) => (one.type.type < other.type.type ? -1 : 1))
  const sections: Html[] = []
  for (const served of types) {
    sections.push(typeSection(server, served))
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
${types.length === 0 ? html`<p>This server has no types.</p>` : picture(server)}
<nav class="types" aria-label="Types">${types.map(({ type }) => typeLink(type.type))}</nav>
${sections}
${profiles(server)}
</main>
</body>
</html>
`
}

/** The maximum number of types in the picture: nobody can follow the lines of more, and to place them takes seconds. */
const MAX_PICTURED_TYPES = 100

function picture({ types }: DescribedServer): Html {
  if (types.length > MAX_PICTURED_TYPES) {
    return html`<p>This server has ${types.length} types, too many for a picture. The tables below contain their relations.</p>`
  }
  return html`<figure>
<div class="scrolling">${graphPicture(relationGraph(types))}</div>
<figcaption id="picture-text">Each box is a type with its relations. A line ends with an arrow if the relation is to-one, and with three prongs if it is to-many. The tables below contain the same information.</figcaption>
</figure>
`
}

function profiles({ profiles: all, extensions }: DescribedServer): Html {
  if (all.length === 0 && extensions.length === 0) return nothing
  return html`<section aria-labelledby="media-types"><h3 id="media-types">Profiles and extensions</h3>
<ul>${all.map(({ uri }) => html`<li>profile <code>${uri}</code></li>`)}${extensions.map(({ uri, path }) => html`<li>extension <code>${uri}</code> at <code>${path}</code></li>`)}</ul>
</section>
`
}
