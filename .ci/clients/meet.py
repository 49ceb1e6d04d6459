"""Python meets the requests that stand on standard input as JSON, one after the
other, and prints what came of each."""

import http.client
import json
import sys
import urllib.error
import urllib.request


def meet(base, token, patience):
    headers = {"Authorization": f"Bearer {token}"}
    request = urllib.request.Request(f"{base}/user/campaigns", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=patience / 1000) as response:
            text = response.read()
    except urllib.error.HTTPError as error:
        return f"status {error.code}"
    except TimeoutError:
        return "timeout"
    except urllib.error.URLError as error:
        return "timeout" if isinstance(error.reason, TimeoutError) else "broken"
    except (http.client.HTTPException, ConnectionError):
        return "broken"
    try:
        campaigns = json.loads(text)["campaigns"]
    except ValueError:
        return "no JSON"
    if len(campaigns) == 1:
        return f"one {campaigns[0]['status']}"
    return f"list of {len(campaigns)}"


asked = json.load(sys.stdin)
for request in asked["requests"]:
    print(meet(asked["base"], **request))
