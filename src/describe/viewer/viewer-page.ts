import type { DescribedServer } from '../openapi/described-server.js'
import { securitySchemes } from '../openapi/security.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { Html, html, nothing } from './html.js'
import type { ViewerAsset } from './viewer-assets.js'

/** Returns the URL of a file, relative to the folder of the files. */
export type UrlOf = (file: ViewerAsset) => string

/** A constant, because bundlers rewrite templates with this text, which would need another package. */
const scriptEnd = new Html('</script>')

/**
 * Returns the page of the viewer. Everyone can read it, so its only information about the API is how to authenticate, as in any 401 response:
 * the script of the page fetches the document, with credentials if the server requires them. URLs are relative to the page, so that
 * it works behind any prefix of a proxy.
 *
 * @param path the path of the page, without such a prefix
 */
export function viewerPage(server: DescribedServer, path: string, urlOf: UrlOf): Html {
  return html`<!doctype html>
<html lang="en" data-path="${path}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>API documentation</title>
<link rel="icon" href="docs/${urlOf('favicon-32x32.png')}">
<link rel="stylesheet" href="docs/${urlOf('swagger-ui.css')}">
<link rel="stylesheet" href="docs/${urlOf('viewer.css')}">
<script src="docs/${urlOf('swagger-ui-bundle.js')}" defer>${scriptEnd}
<script src="docs/${urlOf('viewer.js')}" defer>${scriptEnd}
</head>
<body>
<header class="bar">
<span class="name" id="name">API documentation</span>
<div class="tabs" role="tablist" aria-label="Views" id="tabs" hidden>
<button type="button" role="tab" id="tab-operations" aria-controls="panel-operations" aria-selected="true">Operations</button>
<button type="button" role="tab" id="tab-overview" aria-controls="panel-overview" aria-selected="false" tabindex="-1">Types and relations</button>
</div>
<a class="raw" href="docs.json">docs.json</a>
</header>
<noscript><p class="notice">This page needs JavaScript. Without it, read the <a href="docs/overview.html">overview</a> or the <a href="docs.json">OpenAPI document</a>.</p></noscript>
<p class="notice" id="status" role="status">Loading …</p>
${credentialsForm(server)}
<section id="panel-operations" role="tabpanel" aria-labelledby="tab-operations" hidden></section>
<section id="panel-overview" class="overview" role="tabpanel" aria-labelledby="tab-overview" hidden></section>
</body>
</html>
`
}

/** The form for the credentials with which the document is fetched. It is shown if the server refuses to send the document without them. */
function credentialsForm(server: DescribedServer): Html {
  const schemes = Object.entries(securitySchemes(server))
  return html`<form id="credentials" class="credentials" hidden>
<h1>This API is for authenticated callers</h1>
<p id="refusal">Enter the credentials with which the documentation is read. They stay in this page until you reload it.</p>
${schemes.flatMap(([name, scheme]) => schemeFields(name, scheme))}
${schemes.length === 0 ? field({ scheme: 'bearer', kind: 'bearer' }, 'Bearer token', 'password') : nothing}
<button type="submit">Read the documentation</button>
</form>`
}

function schemeFields(name: string, scheme: JsonSchema): readonly Html[] {
  const { type, in: location, name: header } = scheme
  if (type === 'apiKey') {
    if (location !== 'header' || typeof header !== 'string') return []
    return [field({ scheme: name, kind: 'apiKey', header }, header, 'password')]
  }
  if (type === 'http' && String(scheme['scheme']).toLowerCase() === 'basic') {
    return [
      field({ scheme: name, kind: 'username' }, 'User name', 'text'),
      field({ scheme: name, kind: 'password' }, 'Password', 'password'),
    ]
  }
  if (type === 'http' || type === 'oauth2' || type === 'openIdConnect') {
    return [field({ scheme: name, kind: 'bearer' }, `Token (${name})`, 'password')]
  }
  return []
}

interface FieldTarget {
  readonly scheme: string
  readonly kind: 'bearer' | 'username' | 'password' | 'apiKey'
  readonly header?: string
}

function field({ scheme, kind, header = 'Authorization' }: FieldTarget, label: string, input: string): Html {
  return html`<label>${label} <input type="${input}" autocomplete="off" spellcheck="false" data-scheme="${scheme}" data-kind="${kind}" data-header="${header}"></label>`
}
