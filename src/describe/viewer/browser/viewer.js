/*
 * The script of the page of the viewer. It fetches the OpenAPI document, with credentials if the server requires them, and shows it with
 * Swagger UI. It runs in browsers without a build step, and sends requests only to the servers of the document.
 */
;(() => {
  'use strict'

  const form = element('credentials')

  /** The maximum number of inputs of one parameter. A service with 571 types would have millions in all operations. */
  const MAX_INPUTS = 40

  /** Credentials of the form: headers for the document, and values for the security schemes of Swagger UI. */
  const credentials = { headers: {}, schemes: new Map() }

  followColourScheme()
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    readCredentials()
    void load()
  })
  void load()

  async function load() {
    say('Loading …')
    try {
      const response = await fetch('docs.json', { headers: credentials.headers })
      if (response.status === 401 || response.status === 403) return askForCredentials(response)
      if (!response.ok) return say(`The OpenAPI document cannot be read: the server responds with ${response.status}.`)
      const description = await response.json()
      form.hidden = true
      await showOverview()
      const section = takeSection()
      showOperations(description, section)
      showTabs(description.info.title, section)
      say(null)
    } catch (error) {
      say(`The OpenAPI document cannot be shown: ${error.message}`)
    }
  }

  function element(id) {
    return document.getElementById(id)
  }

  function say(text) {
    const status = element('status')
    status.textContent = text ?? ''
    status.hidden = text === null
  }

  // Credentials

  function askForCredentials({ status }) {
    const hasSent = Object.keys(credentials.headers).length > 0
    form.hidden = false
    say(hasSent ? `The server does not accept these credentials (status ${status}).` : null)
    form.querySelector('input')?.focus()
  }

  function readCredentials() {
    credentials.headers = {}
    credentials.schemes.clear()
    const values = new Map()
    for (const input of form.querySelectorAll('input')) {
      if (input.value === '') continue
      const { scheme, kind, header } = input.dataset
      values.set(scheme, { ...values.get(scheme), [kind]: input.value, header })
    }
    for (const [scheme, { header, bearer, apiKey, username, password = '' }] of values) {
      if (bearer !== undefined) credentials.headers[header] = `Bearer ${bearer}`
      if (apiKey !== undefined) credentials.headers[header] = apiKey
      if (username !== undefined) credentials.headers[header] = `Basic ${base64(`${username}:${password}`)}`
      credentials.schemes.set(scheme, { value: bearer ?? apiKey, username, password })
    }
  }

  function base64(text) {
    return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
  }

  function authorize(ui) {
    for (const [scheme, { value, username, password }] of credentials.schemes) {
      if (value === undefined) ui.preauthorizeBasic(scheme, username, password)
      else ui.preauthorizeApiKey(scheme, value)
    }
  }

  // Operations

  function showOperations(description, section) {
    const { spec, openNames, profiles } = forInputs(description)
    const ui = window.SwaggerUIBundle({
      spec,
      domNode: element('panel-operations'),
      docExpansion: 'none',
      deepLinking: true,
      filter: true,
      // All schemas together take long to render. Each operation shows its own schemas.
      defaultModelsExpandDepth: -1,
      displayRequestDuration: true,
      validatorUrl: null,
      plugins: [resolvingParts],
      oauth2RedirectUrl: new URL('docs/oauth2-redirect.html', location.href).href,
      requestInterceptor: (request) => withProfiles(withOpenNames(request, openNames), profiles),
      onComplete: () => {
        authorize(ui)
        if (section !== '') location.replace(section)
      },
    })
  }

  /** Removes the link to a section of the overview from the URL and returns it: Swagger UI would use it as a link to an operation. */
  function takeSection() {
    const { hash, pathname, search } = location
    if (!isSection(hash)) return ''
    history.replaceState(null, '', pathname + search)
    return hash
  }

  function isSection(hash) {
    return hash.startsWith('#type')
  }

  /**
   * Returns a copy of the document with parameters for which Swagger UI has usable inputs. It shows an object as a text area with JSON and
   * examples, which would be sent as filters. So `page` becomes `page[number]`, `page[size]` and so on, and examples become text.
   */
  function forInputs(description) {
    const spec = structuredClone(description)
    const openNames = new Set()
    const profiles = new Map()
    const inputsOf = (parameter) => {
      if (parameter['x-profile'] !== undefined) profiles.set(parameter.name, parameter['x-profile'])
      if (parameter.required === true) return [parameter]
      if (parameter.style !== 'deepObject') return [withoutExamples(parameter)]
      const members = Object.entries(membersOf(spec, parameter.schema))
      if (members.length === 0 || members.length > MAX_INPUTS) {
        openNames.add(parameter.name)
        return [openInput(parameter, members[0]?.[0])]
      }
      return members.flatMap(([key, schema]) => memberInputs(parameter, key, schema))
    }
    // A parameter with one input remains a component: Swagger UI is slow with a document without references.
    const shared = new Map()
    for (const [name, parameter] of Object.entries(spec.components?.parameters ?? {})) {
      const inputs = inputsOf(parameter)
      if (inputs.length === 1) spec.components.parameters[name] = inputs[0]
      else shared.set(`#/components/parameters/${name}`, inputs)
    }
    const listOf = (given) => (given.$ref === undefined ? inputsOf(given) : (shared.get(given.$ref) ?? [given]))
    for (const item of Object.values(spec.paths)) {
      for (const holder of [item, ...Object.values(item)]) {
        if (Array.isArray(holder?.parameters)) holder.parameters = holder.parameters.flatMap(listOf)
      }
    }
    const servers = spec.servers.map((server) => ({ ...server, url: addressOf(server.url) }))
    return { spec: { ...shortenResponses(spec), servers }, openNames, profiles }
  }

  /**
   * Replaces the schemas of errors by one with a list of their codes, and removes the members of included resources, and headers that only
   * browsers read. Swagger UI reads the whole document for each operation that it opens, which otherwise takes twice as long.
   */
  function shortenResponses(spec) {
    const operations = Object.values(spec.paths).flatMap((item) => Object.values(item))
    const ofOperations = operations.flatMap(({ responses = {} }) => Object.entries(responses))
    const failures = ofOperations
      .filter(([status]) => !/^[23]/.test(status))
      .map(([, response]) => resolved(spec, response))
    for (const { content = {} } of new Set(failures)) {
      for (const media of Object.values(content)) media.schema = errorsSchema(codesIn(spec, media.schema))
    }
    for (const [, response] of ofOperations) {
      const { headers = {} } = resolved(spec, response)
      for (const name of Object.keys(headers)) if (isForBrowsers(name)) delete headers[name]
    }
    for (const { properties } of Object.values(spec.components?.schemas ?? {})) {
      if (properties?.included?.items === undefined) continue
      properties.included = { type: 'array', items: { type: 'object' }, description: 'Related resources.' }
    }
    return removeUnused(spec)
  }

  /** Returns whether only browsers and caches read a header. */
  function isForBrowsers(name) {
    return /^(?:vary|x-content-type-options|access-control-.*)$/i.test(name)
  }

  /** Removes unused components, except the security schemes, which are referenced by name. */
  function removeUnused(spec) {
    const { securitySchemes = {}, ...components } = spec.components ?? {}
    const used = { securitySchemes }
    const pending = [spec.paths]
    for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
      for (const [, kind, name] of JSON.stringify(part).matchAll(/"#\/components\/(\w+)\/([^"/]+)/g)) {
        const component = components[kind]?.[name]
        if (component === undefined || used[kind]?.[name] !== undefined) continue
        used[kind] ??= {}
        used[kind][name] = component
        pending.push(component)
      }
    }
    return { ...spec, components: used }
  }

  /** Passes only the referenced part of the document to Swagger UI when it opens an operation. Otherwise it would read all of it each time. */
  function resolvingParts({ fn: { resolveSubtree } }) {
    const resolvePart = (spec, path, options) => {
      const [section, name] = path
      if (section !== 'paths' || spec.paths?.[name] === undefined) return resolveSubtree(spec, path, options)
      return resolveSubtree(removeUnused({ ...spec, paths: { [name]: spec.paths[name] } }), path, options)
    }
    return { fn: { resolveSubtree: resolvePart } }
  }

  function codesIn(spec, schema) {
    const items = resolved(spec, resolved(spec, schema).properties?.errors?.items)
    const codes = (items?.anyOf ?? [])
      .flatMap((each) => resolved(spec, each).allOf ?? [])
      .map((part) => part.properties?.code?.const)
    return codes.filter((code) => code !== undefined)
  }

  function errorsSchema(codes) {
    const text = { type: 'string' }
    const source = { type: 'object', properties: { pointer: text, parameter: text, header: text } }
    const code = codes.length === 0 ? text : { type: 'string', enum: codes }
    const properties = { status: text, code, title: text, detail: text, source }
    return { type: 'object', properties: { errors: { type: 'array', items: { type: 'object', properties } } } }
  }

  /** Returns the URL of a path. The service may be below a prefix that only a proxy knows. */
  function addressOf(url) {
    const { path } = document.documentElement.dataset
    if (!/^\/(?!\/)/.test(url) || !location.pathname.endsWith(path)) return url
    return `${location.pathname.slice(0, -path.length)}${url}`
  }

  function resolved(spec, value) {
    const [, ...names] = typeof value?.$ref === 'string' ? value.$ref.split('/') : []
    if (names.length === 0) return value
    return names.reduce((found, name) => found?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], spec) ?? {}
  }

  /** Returns the members of an object, also those of its alternatives. */
  function membersOf(spec, given) {
    const schema = resolved(spec, given)
    const members = { ...schema.properties }
    for (const part of [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) {
      for (const [key, member] of Object.entries(membersOf(spec, part))) {
        members[key] = key in members ? eitherOf(members[key], member) : member
      }
    }
    return members
  }

  function eitherOf(one, other) {
    const values = [one, other].map((schema) => schema.enum ?? (schema.const === undefined ? null : [schema.const]))
    if (values.every((each) => each !== null)) return { type: one.type, enum: [...new Set(values.flat())] }
    const { maximum: _, ...rest } = one
    return one.maximum === other.maximum ? one : rest
  }

  /** Returns the inputs of a member: one for each bound of a range, else one. */
  function memberInputs({ name, in: source, description }, key, { description: own, ...schema }) {
    const input = { name: `${name}[${key}]`, in: source, description: own ?? description }
    const bounds = Object.entries(schema.type === 'object' ? (schema.properties ?? {}) : {})
    if (bounds.length > 0) return bounds.flatMap(([bound, each]) => memberInputs(input, bound, each))
    return [withoutExamples({ ...input, schema })]
  }

  /** Returns an input for a parameter with any members: its value is the text after the name in the query. */
  function openInput({ name, in: source, description = '' }, key) {
    const sample = key === undefined ? '[tracks][sort]=-title' : `[${key}]=…`
    const help = `Write \`${sample}\` for \`${name}${sample}\`, and \`&\` between several.`
    return { name, in: source, description: `${description} ${help}`.trim(), schema: { type: 'string' } }
  }

  function withoutExamples({ example, examples, schema = {}, ...parameter }) {
    const { example: own, examples: list = [], default: usual, ...rest } = schema
    const shown = example ?? Object.values(examples ?? {})[0]?.value ?? own ?? list[0]
    const notes = [
      ...(usual === undefined ? [] : [`Default: \`${textOf(usual)}\`.`]),
      ...(shown === undefined ? [] : [`Example: \`${textOf(shown)}\`.`]),
    ]
    const description = [parameter.description, ...notes].filter((part) => part !== undefined).join(' ')
    return { ...parameter, ...(description === '' ? {} : { description }), schema: rest }
  }

  function textOf(value) {
    if (Array.isArray(value)) return value.join(',')
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }

  /** Rewrites the value of the input of an open parameter: `relatedQuery=[tracks][sort]=-title` becomes `relatedQuery[tracks][sort]=-title`. */
  function withOpenNames(request, names) {
    const url = new URL(request.url, location.href)
    const parts = url.search.slice(1).split('&')
    const isOpen = (part) => names.has(part.slice(0, Math.max(0, part.indexOf('='))))
    if (!parts.some(isOpen)) return request
    const written = parts.flatMap((part) => {
      if (!isOpen(part)) return [part]
      const [name, value] = [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]
      return decodeURIComponent(value.replaceAll('+', ' '))
        .split('&')
        .filter((each) => each !== '')
        .map((each) => {
          const end = each.indexOf('=') === -1 ? each.length : each.indexOf('=')
          return `${encodeURIComponent(name + each.slice(0, end))}=${encodeURIComponent(each.slice(end + 1))}`
        })
    })
    url.search = written.join('&')
    return Object.assign(request, { url: url.href })
  }

  /** Requests the profiles of the parameters: otherwise the server ignores the parameters, or refuses the request. */
  function withProfiles(request, profiles) {
    const names = [...new URL(request.url, location.href).searchParams.keys()].map((name) => name.replace(/\[.*$/, ''))
    const uris = [...new Set(names.flatMap((name) => profiles.get(name) ?? []))]
    const header = Object.keys(request.headers ?? {}).find((name) => name.toLowerCase() === 'accept')
    if (uris.length === 0 || header === undefined) return request
    const accept = request.headers[header]
    if (accept.startsWith('application/vnd.api+json') && !accept.includes('profile=')) {
      request.headers[header] = `${accept}; profile="${uris.join(' ')}"`
    }
    return request
  }

  // Overview

  /** Shows the overview, which the server renders as a separate page. It has no scripts, and everything in it is escaped. */
  async function showOverview() {
    const response = await fetch('docs/overview.html', { headers: credentials.headers })
    if (!response.ok) return
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    element('panel-overview').replaceChildren(...page.querySelector('main').childNodes)
  }

  // Tabs

  function showTabs(title, section) {
    const tabs = [element('tab-operations'), element('tab-overview')]
    element('name').textContent = title
    document.title = title
    element('tabs').hidden = false
    for (const tab of tabs) tab.addEventListener('click', () => choose(tab, true))
    element('tabs').addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
      const other = tabs.find((tab) => tab !== event.target)
      other.focus()
      choose(other, true)
    })
    const show = (hash) => {
      choose(tabs[isSection(hash) ? 1 : 0], false)
      if (isSection(hash)) element(decodeURIComponent(hash.slice(1)))?.scrollIntoView()
    }
    window.addEventListener('hashchange', () => show(location.hash))
    show(section)

    function choose(chosen, isNew) {
      for (const tab of tabs) {
        const isChosen = tab === chosen
        tab.setAttribute('aria-selected', String(isChosen))
        tab.tabIndex = isChosen ? 0 : -1
        element(tab.getAttribute('aria-controls')).hidden = !isChosen
      }
      if (isNew) history.replaceState(null, '', chosen === tabs[1] ? '#types' : location.pathname + location.search)
    }
  }

  function followColourScheme() {
    const dark = window.matchMedia('(prefers-color-scheme: dark)')
    const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
    dark.addEventListener('change', follow)
    follow()
  }
})()
