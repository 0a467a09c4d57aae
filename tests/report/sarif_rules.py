# SPDX-License-Identifier: Apache-2.0
"""What SARIF 2.1.0 asks of the files that Heddle writes: which properties each kind of object may have and must have,
and what the text of the standard adds to that (indices that fit, URIs, unique places in the order of execution)."""
import re

# name of an object: (all properties, required ones, {property: kind of its value})
# A kind in brackets is a list of it, in braces a map to it.
OBJECTS = {
    "log": ("$schema version runs inlineExternalProperties properties", "version runs", {"runs": "[run]"}),
    "run": ("tool invocations conversion language versionControlProvenance originalUriBaseIds artifacts logicalLocations graphs results "
            "automationDetails runAggregates baselineGuid redactionTokens defaultEncoding defaultSourceLanguage newlineSequences columnKind "
            "externalPropertyFileReferences threadFlowLocations taxonomies addresses translations policies webRequests webResponses specialLocations properties",
            "tool", {"tool": "tool", "invocations": "[invocation]", "originalUriBaseIds": "{artifactLocation}", "results": "[result]", "automationDetails": "automation"}),
    "tool": ("driver extensions properties", "driver", {"driver": "component"}),
    "component": ("guid name organization product productSuite shortDescription fullDescription fullName version semanticVersion dottedQuadFileVersion "
                  "releaseDateUtc downloadUri informationUri globalMessageStrings notifications rules taxa locations language contents isComprehensive "
                  "localizedDataSemanticVersion minimumRequiredLocalizedDataSemanticVersion associatedComponent translationMetadata supportedTaxonomies properties",
                  "name", {"rules": "[rule]"}),
    "rule": ("id deprecatedIds guid deprecatedGuids name deprecatedNames shortDescription fullDescription messageStrings defaultConfiguration helpUri help "
             "relationships properties", "id", {"shortDescription": "text", "fullDescription": "text", "help": "text"}),
    "text": ("text markdown properties", "text", {}),
    "automation": ("description id guid correlationGuid properties", "", {}),
    "invocation": ("commandLine arguments responseFiles startTimeUtc endTimeUtc exitCode ruleConfigurationOverrides notificationConfigurationOverrides "
                   "toolExecutionNotifications toolConfigurationNotifications exitCodeDescription exitSignalName exitSignalNumber processStartFailureMessage "
                   "executionSuccessful machine account processId executableLocation workingDirectory environmentVariables stdin stdout stderr stdoutStderr properties",
                   "executionSuccessful", {"toolExecutionNotifications": "[notification]"}),
    "notification": ("locations message level threadId timeUtc exception descriptor associatedRule properties", "message", {"message": "message", "descriptor": "reference"}),
    "reference": ("id index guid toolComponent properties", "", {}),
    "message": ("text markdown id arguments properties", "text", {}),
    "result": ("ruleId ruleIndex rule kind level message analysisTarget locations guid correlationGuid occurrenceCount partialFingerprints fingerprints stacks "
               "codeFlows graphs graphTraversals relatedLocations suppressions baselineState rank attachments hostedViewerUri workItemUris provenance fixes taxa "
               "webRequest webResponse properties", "message", {"message": "message", "locations": "[location]", "relatedLocations": "[location]", "codeFlows": "[codeFlow]"}),
    "location": ("id physicalLocation logicalLocations message annotations relationships properties", "",
                 {"physicalLocation": "physical", "logicalLocations": "[logical]", "message": "message"}),
    "physical": ("address artifactLocation region contextRegion properties", "artifactLocation", {"artifactLocation": "artifactLocation", "region": "region"}),
    "artifactLocation": ("uri uriBaseId index description properties", "", {"description": "message"}),
    "region": ("startLine startColumn endLine endColumn charOffset charLength byteOffset byteLength snippet message sourceLanguage properties", "startLine", {}),
    "logical": ("name index fullyQualifiedName decoratedName parentIndex kind properties", "", {}),
    "codeFlow": ("message threadFlows properties", "threadFlows", {"message": "message", "threadFlows": "[threadFlow]"}),
    "threadFlow": ("id message initialState immutableState locations properties", "locations", {"message": "message", "locations": "[step]"}),
    "step": ("index location stack kinds taxa module state nestingLevel executionOrder executionTimeUtc importance webRequest webResponse properties", "", {"location": "location"}),
}
URI = re.compile(r"^(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+$")


class Problems(list):
    def check(self, good, text):
        if not good:
            self.append(text)


def check_object(kind, value, path, problems):
    properties, required, parts = OBJECTS[kind]
    if not isinstance(value, dict):
        problems.append(f"{path} is no object")
        return
    for name in value:
        problems.check(name in properties.split(), f"{path} must not have {name}")
    for name in required.split():
        problems.check(name in value, f"{path} lacks {name}")
    for name, part in parts.items():
        if name not in value:
            continue
        if part[0] == "[":
            problems.check(isinstance(value[name], list), f"{path}.{name} is no list")
            for i, item in enumerate(value[name]):
                check_object(part[1:-1], item, f"{path}.{name}[{i}]", problems)
        elif part[0] == "{":
            for key, item in value[name].items():
                check_object(part[1:-1], item, f"{path}.{name}.{key}", problems)
        else:
            check_object(part, value[name], f"{path}.{name}", problems)


def locations_of(result):
    yield from result.get("locations", [])
    yield from result.get("relatedLocations", [])
    for flow in result.get("codeFlows", []):
        for thread in flow["threadFlows"]:
            yield from (step["location"] for step in thread["locations"])


def check_result(result, run, path, problems):
    rules = run["tool"]["driver"]["rules"]
    index = result.get("ruleIndex", -1)
    problems.check(0 <= index < len(rules) and rules[index]["id"] == result["ruleId"], f"{path}: ruleIndex does not fit ruleId")
    problems.check(result.get("level") in ("error", "warning", "note", "none"), f"{path}: level")
    fingerprints = result.get("partialFingerprints", {})
    problems.check(all(isinstance(text, str) and text for text in fingerprints.values()) and fingerprints, f"{path}: fingerprints")
    for location in locations_of(result):
        physical = location.get("physicalLocation", {})
        uri = physical.get("artifactLocation", {}).get("uri", "x")
        plain = uri[len("file://"):] if uri.startswith("file://") else uri
        problems.check(bool(URI.match(plain)), f"{path}: {uri!r} is no URI")
        problems.check(uri.startswith("file:///") or not uri.startswith("/"), f"{path}: {uri!r} is neither relative nor a file")
        base = physical.get("artifactLocation", {}).get("uriBaseId")
        problems.check(base is None or base in run["originalUriBaseIds"], f"{path}: {base} is not explained")
        for name in ("startLine", "startColumn"):
            number = physical.get("region", {}).get(name, 1)
            problems.check(isinstance(number, int) and number >= 1, f"{path}: {name} is {number}")
    for flow in result.get("codeFlows", []):
        problems.check(len(flow["threadFlows"]) >= 1, f"{path}: a code flow without threads")
        names = [thread.get("id") for thread in flow["threadFlows"]]
        problems.check(len(set(names)) == len(names) and all(names), f"{path}: threads are {names}")
        orders = []
        for thread in flow["threadFlows"]:
            own = [step["executionOrder"] for step in thread["locations"]]
            problems.check(own == sorted(own) and own, f"{path}: the order of {thread.get('id')} goes back")
            problems.check(all(step.get("importance") in ("important", "essential", "unimportant") for step in thread["locations"]), f"{path}: importance")
            orders += own
        problems.check(len(set(orders)) == len(orders), f"{path}: two steps at once")


def check_log(log):
    """A list of what is wrong."""
    problems = Problems()
    check_object("log", log, "log", problems)
    if problems:
        return problems
    problems.check(log["version"] == "2.1.0", "version")
    for i, run in enumerate(log["runs"]):
        ids = [rule["id"] for rule in run["tool"]["driver"].get("rules", [])]
        problems.check(len(set(ids)) == len(ids), "two rules with one id")
        problems.check(run.get("columnKind") in ("utf16CodeUnits", "unicodeCodePoints"), "columnKind")
        for j, result in enumerate(run["results"]):
            check_result(result, run, f"runs[{i}].results[{j}]", problems)
    return problems
